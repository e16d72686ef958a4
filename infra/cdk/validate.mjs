// Runs CloudFormation's own validator on the templates that the arguments name, and prints its findings.
// Exits with 1 if there are any, or if the validator could not check a whole template.
import { RegoEngine, TemplateFile } from "@aws/cloudformation-validate";

const config = {
  // Excludes hints, such as that a change of a property replaces the resource.
  severityLevel: "WARN",
  // The CDK writes dependencies that a reference already implies.
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
