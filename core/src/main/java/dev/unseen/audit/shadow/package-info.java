/** An exact shadow of some keys, and the estimates that follow from it. */
@NullMarked
package dev.unseen.audit.shadow;

import org.jspecify.annotations.NullMarked;
