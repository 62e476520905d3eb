/** Says whether this Java has the Flight Recorder, which the core does not need. */
@NullMarked
package dev.unseen.jfr;

import org.jspecify.annotations.NullMarked;
