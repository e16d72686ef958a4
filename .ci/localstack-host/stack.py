"""Deploys our stacks in LocalStack with its CloudFormation, from the templates that the tests synthesized.

usage: stack.py ENDPOINT TEMPLATES

The data stack is deployed unchanged, and the bucket of media without its access logs. The stream stack is deployed unchanged as well and must fail at the functions,
because LocalStack runs functions in Docker. Then its mappings are created for a function that exists and cannot run.
Prints the settings of the bridge tests as options of Maven.
"""

import io
import json
import pathlib
import sys
import time
import zipfile

import boto3

REGION = "eu-central-1"
ACCOUNT = "000000000000"
ASSETS = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"
FUNCTION = "multiplexer"
PATIENCE = 120

endpoint, templates = sys.argv[1], pathlib.Path(sys.argv[2])


def client(service):
    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )


cloudformation, functions = client("cloudformation"), client("lambda")


def say(text):
    print(text, file=sys.stderr, flush=True)


def require(true, text):
    if not true:
        sys.exit(f"LocalStack: {text}")


def wait_until(answer, text):
    deadline = time.monotonic() + PATIENCE
    while not (found := answer()):
        require(time.monotonic() < deadline, f"{text} after {PATIENCE} s")
        time.sleep(0.5)
    return found


def template(part):
    return json.loads((templates / f"feed-dev-{part}.template.json").read_text())


def of_type(body, kind):
    return {name: it for name, it in body["Resources"].items() if it["Type"] == kind}


def package():
    """A zip that stands in for the package; it never runs."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("lib/nothing.txt", "stands in for the package")
    return content.getvalue()


def bootstrap():
    """Puts there what `cdk bootstrap` and `cdk deploy` would have put."""
    client("ssm").put_parameter(
        Name="/cdk-bootstrap/hnb659fds/version", Value="21", Type="String", Overwrite=True
    )
    s3 = client("s3")
    s3.create_bucket(
        Bucket=ASSETS, CreateBucketConfiguration={"LocationConstraint": REGION}
    )
    lanes = of_type(template("stream"), "AWS::Lambda::Function").values()
    for key in {lane["Properties"]["Code"]["S3Key"] for lane in lanes}:
        s3.put_object(Bucket=ASSETS, Key=key, Body=package())


def make(name, body):
    """Returns the status of the stack, and by resource its status and reason."""
    cloudformation.create_stack(
        StackName=name,
        TemplateBody=json.dumps(body),
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
        OnFailure="DO_NOTHING",
    )

    def ended():
        (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
        return None if stack["StackStatus"].endswith("IN_PROGRESS") else stack

    stack = wait_until(ended, f"the stack {name} is still being created")
    resources = {}
    for event in cloudformation.describe_stack_events(StackName=name)["StackEvents"]:
        resources.setdefault(
            event["LogicalResourceId"],
            (event["ResourceStatus"], event.get("ResourceStatusReason") or ""),
        )
    return stack, resources


def make_data():
    stack, resources = make("feed-dev-data", template("data"))
    require(stack["StackStatus"] == "CREATE_COMPLETE", f"{resources}")
    # LocalStack reports a missing resource type and creates a stub.
    stubs = {name for name, (_, reason) in resources.items() if "not supported" in reason}
    pipes = set(of_type(template("data"), "AWS::Pipes::Pipe"))
    require(stubs == pipes, f"expected stubs of {pipes}, found stubs of {stubs}")
    say(f"feed-dev-data: {len(template('data')['Resources'])} resources created, the pipe a stub")
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


def rule_of_s3(rule):
    """Returns a lifecycle rule of a template as S3 takes it."""
    said = {"ID": rule["Id"], "Status": rule["Status"], "Filter": {"Prefix": rule.get("Prefix", "")}}
    if "ExpirationInDays" in rule:
        said["Expiration"] = {"Days": rule["ExpirationInDays"]}
    if "AbortIncompleteMultipartUpload" in rule:
        said["AbortIncompleteMultipartUpload"] = rule["AbortIncompleteMultipartUpload"]
    return said


def make_media():
    """Creates the bucket of media with its policy, and reads back what keeps it private. LocalStack's CloudFormation
    omits lifecycle rules, so these are given to its S3, which then says when which object ends."""
    body = json.loads((templates.parent / "media-dev-function" / "feed-dev-data.template.json").read_text())
    buckets = {
        name: it
        for name, it in of_type(body, "AWS::S3::Bucket").items()
        if "OwnershipControls" in it["Properties"]
    }
    ((name, bucket),) = buckets.items()
    # The bucket of these logs is in the other stack.
    bucket["Properties"].pop("LoggingConfiguration")
    policies = {
        key: it
        for key, it in of_type(body, "AWS::S3::BucketPolicy").items()
        if it["Properties"]["Bucket"] == {"Ref": name}
    }
    require(len(policies) == 1, f"policies of the bucket of media: {list(policies)}")
    for resource in (bucket, *policies.values()):
        resource.pop("DependsOn", None)
    stack, resources = make("feed-dev-media", {"Resources": buckets | policies})
    require(stack["StackStatus"] == "CREATE_COMPLETE", f"{resources}")
    made = cloudformation.describe_stack_resource(StackName="feed-dev-media", LogicalResourceId=name)
    s3, here = client("s3"), {"Bucket": made["StackResourceDetail"]["PhysicalResourceId"]}
    block = s3.get_public_access_block(**here)["PublicAccessBlockConfiguration"]
    require(len(block) == 4 and all(block.values()), f"{block}")
    owner = s3.get_bucket_ownership_controls(**here)["OwnershipControls"]
    require("BucketOwnerEnforced" in str(owner), f"{owner}")
    rules = bucket["Properties"]["LifecycleConfiguration"]["Rules"]
    s3.put_bucket_lifecycle_configuration(
        **here, LifecycleConfiguration={"Rules": [rule_of_s3(rule) for rule in rules]}
    )
    for key, ends in {"uploads/1": True, "media/1/small.png": False}.items():
        ended = s3.put_object(**here, Key=key, Body=b"x").get("Expiration", "")
        require(bool(ended) == ends, f"{key} ends: {ended or 'never'}")
    (cors,) = s3.get_bucket_cors(**here)["CORSRules"]
    require("PUT" in cors["AllowedMethods"] and "*" not in cors["AllowedOrigins"], f"{cors}")
    policy = json.loads(s3.get_bucket_policy(**here)["Policy"])["Statement"]
    require(all(it["Effect"] == "Deny" for it in policy), f"{policy}")
    s3.get_bucket_encryption(**here)
    say("feed-dev-data with media=s3: the bucket of media and its policy created")


def fail_to_make_stream():
    stack, resources = make("feed-dev-stream", template("stream"))
    require(stack["StackStatus"] == "CREATE_FAILED", f"the functions could be created: {resources}")
    lanes = of_type(template("stream"), "AWS::Lambda::Function")
    # LocalStack stops at the first that fails.
    failed = {name: resources[name][1] for name in lanes if resources.get(name, ("",))[0] == "CREATE_FAILED"}
    require(failed, f"no function failed: {resources}")
    for reason in failed.values():
        require(reason.startswith("Error while creating lambda:"), reason)
    say(f"feed-dev-stream: {', '.join(failed)} could not be created, as expected without Docker")
    cloudformation.delete_stack(StackName="feed-dev-stream")


def make_function_that_cannot_run():
    functions.create_function(
        FunctionName=FUNCTION,
        Runtime="java25",
        Role=f"arn:aws:iam::{ACCOUNT}:role/multiplexer",
        Handler="social.feed.streams.lambda.MultiplexerFunction",
        Code={"ZipFile": package()},
    )

    def decided():
        found = functions.get_function_configuration(FunctionName=FUNCTION)
        return None if found["State"] == "Pending" else found

    found = wait_until(decided, "the function is still pending")
    require(found["State"] == "Failed", f"the function is {found['State']}")
    try:
        functions.invoke(FunctionName=FUNCTION, Payload=b"{}")
    except functions.exceptions.ResourceConflictException as refusal:
        require("Failed" in str(refusal), str(refusal))
    else:
        sys.exit("LocalStack: a failed function was invoked")


def make_mappings():
    """Creates the mappings unchanged, but disabled: no function can be called."""
    body = template("stream")
    mappings = of_type(body, "AWS::Lambda::EventSourceMapping")
    aliases = of_type(body, "AWS::Lambda::Alias")
    for alias in aliases.values():
        alias["Properties"] |= {"FunctionName": FUNCTION, "FunctionVersion": "$LATEST"}
        # It names the application of CodeDeploy, which is not in this stack.
        alias.pop("UpdatePolicy", None)
    for mapping in mappings.values():
        mapping["Properties"] |= {"Enabled": False}
    stack, resources = make(
        "feed-dev-mappings",
        {"Parameters": body["Parameters"], "Resources": aliases | mappings},
    )
    require(stack["StackStatus"] == "CREATE_COMPLETE", f"{resources}")

    made = functions.list_event_source_mappings()["EventSourceMappings"]
    require(len(made) == len(mappings), f"{len(made)} mappings")
    for name, mapping in mappings.items():
        written = mapping["Properties"]
        (found,) = [it for it in made if it["BatchSize"] == written["BatchSize"]]
        for key in (
            "BisectBatchOnFunctionError",
            "FilterCriteria",
            "FunctionResponseTypes",
            "MaximumRecordAgeInSeconds",
            "MaximumRetryAttempts",
            "ParallelizationFactor",
            "StartingPosition",
        ):
            require(found[key] == written[key], f"{name}.{key} is {found[key]}")
        for key in ("TumblingWindowInSeconds", "MaximumBatchingWindowInSeconds"):
            require(found.get(key, 0) == written.get(key, 0), f"{name}: {found}")
    say(f"feed-dev-stream: {len(mappings)} mappings created for a function that cannot run")


bootstrap()
outputs = make_data()
make_media()
fail_to_make_stream()
make_function_that_cannot_run()
make_mappings()
events = next(value for key, value in outputs.items() if key.startswith("ExportsOutputRefEvents"))
print(f"-Dfeed.stack.table={outputs['TableName']}")
print(f"-Dfeed.stack.dead-letters={outputs['DeadLettersUrl']}")
print(f"-Dfeed.stack.events={events}")
