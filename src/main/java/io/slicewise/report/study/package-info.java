/** The tables of overhead, interference and consolidation studies. */
package io.slicewise.report.study;
