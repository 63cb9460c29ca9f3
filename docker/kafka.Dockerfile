# Apache Kafka on the Java of Debian for local installations: one node, broker and controller in one.
#
#   docker build -f docker/kafka.Dockerfile -t sluice-kafka .
#
# CLUSTER_ID names the cluster, KAFKA_HEAP_OPTS sizes it; the argument is its properties file, which
# says where it listens, whom it believes and where its data is. Mounted: the data, and where the root
# file system is read-only /tmp.
ARG BASE_IMAGE=debian:bookworm-slim
ARG RELEASE=no

FROM ${BASE_IMAGE} AS jars
ARG BASE_IMAGE
ARG RELEASE
RUN case "$RELEASE $BASE_IMAGE" in \
      no\ *|yes\ *@sha256:????????????????????????????????????????????????????????????????) ;; \
      *) echo "RELEASE is yes or no; with yes BASE_IMAGE ends in @sha256: and 64 digits." >&2; exit 1 ;; \
    esac
RUN apt-get update && apt-get install --yes --no-install-recommends maven
WORKDIR /kafka
COPY libs/local-kafka/pom.xml ./
RUN mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=libs -DincludeScope=runtime

FROM ${BASE_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends openjdk-17-jre-headless \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb /var/log/apt /var/log/dpkg.log \
    && echo 'kafka:x:10001:10001::/tmp:/usr/sbin/nologin' >> /etc/passwd \
    && echo 'kafka:x:10001:' >> /etc/group
COPY --from=jars /kafka/libs /opt/kafka/libs
COPY docker/kafka/start.sh /usr/local/bin/start-kafka
COPY docker/kafka/log4j2.properties /opt/kafka/
RUN chmod 0755 /usr/local/bin/start-kafka \
    && mkdir -p /var/lib/kafka && chown 10001:10001 /var/lib/kafka
ENV KAFKA_HEAP_OPTS="-Xms256m -Xmx512m"
EXPOSE 9093 9094
USER 10001:10001
ENTRYPOINT ["start-kafka"]
CMD ["/etc/kafka/settings/server.properties"]
