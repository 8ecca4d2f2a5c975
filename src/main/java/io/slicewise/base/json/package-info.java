/**
 * The mapping between values and JSON, so that every file writes a duration, an instant or a
 * missing number in the same way. Uses only {@code units} and Jackson.
 */
package io.slicewise.base.json;
