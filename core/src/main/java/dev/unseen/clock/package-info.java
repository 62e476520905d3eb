/** A clock that survives wrong readings of the machine's clock. */
@NullMarked
package dev.unseen.clock;

import org.jspecify.annotations.NullMarked;
