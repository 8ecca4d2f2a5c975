/**
 * {@code xl} as Xen 4.1 to 4.22 ship it: what each version accepts, prints and answers, its traps
 * included.
 */
package io.slicewise.lab.xl;
