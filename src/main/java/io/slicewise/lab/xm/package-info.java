/** {@code xm} as Xen 3.1 to 4.4 ship it, and {@code xend}. */
package io.slicewise.lab.xm;
