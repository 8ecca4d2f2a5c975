#!/usr/bin/env bash
# Creates an installation of JMeter from the jars of the build: there is none on Maven Central.
#
#   bench/stock-jmeter.sh DIRECTORY
set -euo pipefail
lib=$(cd "$(dirname "$0")/.." && pwd)/target/lib
mkdir -p "$1/lib/ext" "$1/lib/junit"
cd "$1"
unzip -q "$lib"/ApacheJMeter_config-*.jar 'bin/*'
for jar in "$lib"/*.jar; do
  case $(basename "$jar") in
    ApacheJMeter_*) cp "$jar" lib/ext/ ;;
    ApacheJMeter-*) cp "$jar" bin/ApacheJMeter.jar ;;
    *) cp "$jar" lib/ ;;
  esac
done
