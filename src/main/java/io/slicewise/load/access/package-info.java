/** Access logs: their line formats, and the requests of a site's own users in them. */
package io.slicewise.load.access;
