/**
 * Reading YAML files that people write: every value knows its file and line, every fault is kept
 * until all are known. Knows nothing of what the files mean; no value leaves a file unchecked.
 */
package io.slicewise.base.yaml;
