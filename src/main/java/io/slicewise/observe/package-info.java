/**
 * What watches a measured window: observers, and what they saw, as named measures of places. The
 * summaries, tables, filters and files treat every observer alike.
 */
package io.slicewise.observe;
