/** Figures of the studies as SVG, for the page and for papers. */
package io.slicewise.report.figure;
