/** A clock that survives wrong readings of the machine's clock. */
package dev.unseen.clock;
