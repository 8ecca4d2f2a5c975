/**
 * Observers of a measured window and their observations: named measures of places. Summaries,
 * tables, filters and files treat every observer alike.
 */
package io.slicewise.observe;
