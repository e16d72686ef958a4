// Runs CloudFormation's own validator on the templates that the arguments name. Prints what it finds;
// exits with 1 when there is anything, or when it could not look at all of a template.
import { RegoEngine, TemplateFile } from "@aws/cloudformation-validate";

const config = {
  // Hints say for each property that a change of it makes a new resource, and the like.
  severityLevel: "WARN",
  // The CDK writes dependencies that a reference implies already.
  exclude: { ids: ["W3005"] },
  pseudoParameterOverrides: { region: "eu-central-1" },
};
const engine = new RegoEngine();
let clean = true;
for (const path of process.argv.slice(2)) {
  const report = engine.validateStandard(new TemplateFile(path), config);
  if (report.status !== "OK") {
    clean = false;
    console.log(`${path}: ${report.status}`);
  }
  for (const found of report.diagnostics) {
    clean = false;
    const where = `${found.entity?.logicalId ?? ""} ${found.propertyPath ?? ""}`;
    console.log(`${path}: ${found.ruleId} ${found.message} (${where.trim()})`);
  }
}
engine.free();
process.exitCode = clean ? 0 : 1;
