// Runs CloudFormation's own validator on templates, and prints its findings but those of an excused rule.
// Exits with 1 if there are any, if the excuse excuses nothing, or if the validator could not check a whole template.
//
// usage: node validate.mjs RULE TEMPLATE…
import { RegoEngine, TemplateFile } from "@aws/cloudformation-validate";

const config = {
  // Excludes hints, such as that a change of a property replaces the resource.
  severityLevel: "WARN",
  pseudoParameterOverrides: { region: "eu-central-1" },
};
const engine = new RegoEngine();
const [excused, ...templates] = process.argv.slice(2);
let clean = true;
let excuses = 0;
for (const path of templates) {
  const report = engine.validateStandard(new TemplateFile(path), config);
  if (report.status !== "OK") {
    clean = false;
    console.log(`${path}: ${report.status}`);
  }
  for (const found of report.diagnostics) {
    if (found.ruleId === excused) {
      excuses++;
      continue;
    }
    clean = false;
    const where = `${found.entity?.logicalId ?? ""} ${found.propertyPath ?? ""}`;
    console.log(`${path}: ${found.ruleId} ${found.message} (${where.trim()})`);
  }
}
engine.free();
if (excuses === 0) {
  clean = false;
  console.log(`excuses nothing, remove it: ${excused}`);
}
process.exitCode = clean ? 0 : 1;
