/** The one answer of a run: what it claims, how sure that is, and what limits it. */
package io.slicewise.evidence.answer;
