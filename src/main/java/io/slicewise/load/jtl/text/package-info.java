/**
 * The text of result files: words in a block of bytes, fields, the columns of a head line,
 * attributes of an element, times.
 */
package io.slicewise.load.jtl.text;
