/** Failures that programs and Unseen's front ends handle by type, and describe to their users. */
package dev.unseen.error;
