/** {@code xm} as Xen 3.1 to 4.4 ship it, with {@code xend} behind it. */
package io.slicewise.lab.xm;
