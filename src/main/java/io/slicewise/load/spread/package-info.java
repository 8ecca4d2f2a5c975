/**
 * One load from several machines: users, rate and data are split, the generators start together by
 * measured clock offsets, and their samples stay on their machines until the window is over.
 */
package io.slicewise.load.spread;
