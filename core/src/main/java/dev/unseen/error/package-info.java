/** Failures that a program, or one of Unseen's front ends, tells apart and words for its users. */
package dev.unseen.error;
