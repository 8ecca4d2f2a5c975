/** The small programs of the control domain that a measuring tool relies on, and its /proc. */
package io.slicewise.lab.dom0;
