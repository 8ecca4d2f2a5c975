/**
 * Tables, charts, HTML, CSV and JSON out of a sweep's summary. Computes nothing that analysis does
 * not give.
 */
package io.slicewise.report;
