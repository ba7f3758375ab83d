# One part of an array job of AWS Batch: /archive/run/part.sh in aws-batch.json.
run=/archive/run/$AWS_BATCH_JOB_ARRAY_INDEX
upright normalize --files-from /archive/run/files -0 \
  --shard "$AWS_BATCH_JOB_ARRAY_INDEX/100" --jobs 4 --format ndjson \
  --journal "$run.journal" --record "$run.record" >> "$run.ndjson" || [ $? -eq 1 ]
