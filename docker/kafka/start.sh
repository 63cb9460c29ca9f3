#!/bin/sh
# Prepares the data folder at the first start and becomes the broker.
set -eu
settings=$1
: "${CLUSTER_ID:?must be 16 bytes in base64 without padding, the same at every start}"

java -Xmx128m -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp '/opt/kafka/libs/*' \
  -Dlog4j2.configurationFile=file:/opt/kafka/log4j2.properties \
  kafka.tools.StorageTool format --ignore-formatted --cluster-id "$CLUSTER_ID" --config "$settings"

# A new pod has a new address, and it meets itself by its name: Java's 30 s of remembering the old one
# would be 30 s without Kafka.
# Several words: -Xms and -Xmx.
# shellcheck disable=SC2086
exec java $KAFKA_HEAP_OPTS -Dsun.net.inetaddr.ttl=1 -XX:+UseSerialGC -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError \
  -Djava.awt.headless=true -Dlog4j2.configurationFile=file:/opt/kafka/log4j2.properties \
  -cp '/opt/kafka/libs/*' kafka.Kafka "$settings"
