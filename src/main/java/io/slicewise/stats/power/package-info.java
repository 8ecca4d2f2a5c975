/**
 * What a design can find before it has begun: power of tests, and the pairs, blocks or trials that
 * an effect needs.
 */
package io.slicewise.stats.power;
