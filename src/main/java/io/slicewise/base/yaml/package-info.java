/**
 * Reads YAML files that people write: every value knows its file and line, and all errors are
 * reported together. Independent of the files' meaning; every value is checked.
 */
package io.slicewise.base.yaml;
