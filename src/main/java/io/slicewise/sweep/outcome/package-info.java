/** Sources of outcomes: what the users of a window experienced, whoever made the load. */
package io.slicewise.sweep.outcome;
