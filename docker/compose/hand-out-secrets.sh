#!/bin/sh
# Copies to each container's volume what it may know, for the user it runs as, and nothing else.
# /from: what `npm run k8s:secrets` wrote. /to/<service>: its volume.
set -eu
for target in /to/*; do
  service=${target#/to/}
  case $service in postgres | kafka) continue ;; esac
  rm -rf "/to/$service"/*
  for folder in kafka secrets; do
    if [ -d "/from/$service/$folder" ]; then cp -R "/from/$service/$folder" "/to/$service/"; fi
  done
  if [ -f "/from/$service/tls.crt" ]; then
    mkdir "/to/$service/tls"
    for file in tls.crt tls.key ca.crt; do cp "/from/$service/$file" "/to/$service/tls/"; done
  fi
  # Who signs the servers: of the brokers and of the database.
  if [ -d "/to/$service/kafka" ]; then cp /from/kafka/ca.crt "/to/$service/kafka/"; fi
  if [ -d "/to/$service/secrets" ]; then
    cp /from/postgres/ca.crt "/to/$service/secrets/database-ca.crt"
  fi
done
rm -rf /to/postgres/* /to/kafka/*
mkdir /to/postgres/tls
for file in tls.crt tls.key; do cp "/from/postgres/$file" /to/postgres/tls/; done
cp -R /from/postgres/secrets /to/postgres/
for file in keystore.pem truststore.pem; do cp "/from/kafka/$file" /to/kafka/; done
chown -R 10001:10001 /to/*
chmod -R u=rX,g=,o= /to/*
