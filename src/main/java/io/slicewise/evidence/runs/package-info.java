/** Run against run, its causes, and a metric over nights. */
package io.slicewise.evidence.runs;
