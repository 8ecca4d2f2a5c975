/** Makes policies from runs: which loads need which settings, and which differ enough to matter. */
package io.slicewise.evidence.policy;
