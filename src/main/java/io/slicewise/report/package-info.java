/**
 * Tables, charts, HTML, CSV and JSON of a sweep's summary. All results come from the analysis
 * package.
 */
package io.slicewise.report;
