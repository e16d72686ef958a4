// Runs CloudFormation's own validator on templates, and prints its findings but those of excused rules.
// Exits with 1 if there are any, if an excuse excuses nothing, or if the validator could not check a whole template.
//
// usage: node validate.mjs RULE[,RULE…] TEMPLATE…
import { RegoEngine, TemplateFile } from "@aws/cloudformation-validate";

const config = {
  // Excludes hints, such as that a change of a property replaces the resource.
  severityLevel: "WARN",
  pseudoParameterOverrides: { region: "eu-central-1" },
};
const engine = new RegoEngine();
const [rules, ...templates] = process.argv.slice(2);
const excused = rules.split(",");
const used = new Set();
let clean = true;
for (const path of templates) {
  const report = engine.validateStandard(new TemplateFile(path), config);
  if (report.status !== "OK") {
    clean = false;
    console.log(`${path}: ${report.status}`);
  }
  for (const found of report.diagnostics) {
    if (excused.includes(found.ruleId)) {
      used.add(found.ruleId);
      continue;
    }
    clean = false;
    const where = `${found.entity?.logicalId ?? ""} ${found.propertyPath ?? ""}`;
    console.log(`${path}: ${found.ruleId} ${found.message} (${where.trim()})`);
  }
}
engine.free();
for (const rule of excused.filter((rule) => !used.has(rule))) {
  clean = false;
  console.log(`excuses nothing, remove the line: ${rule}`);
}
process.exitCode = clean ? 0 : 1;
