/** Failures that programs and Unseen's front ends handle by type, and describe to their users. */
@NullMarked
package dev.unseen.error;

import org.jspecify.annotations.NullMarked;
