/**
 * The one mapping between our values and JSON, so that every file says a duration, an instant or a
 * missing number in the same way. May use {@code units} and Jackson alone.
 */
package io.slicewise.base.json;
