/**
 * Checks a directory of artifacts before they are published: what Maven Central demands, and what
 * we promise beside that. Start with {@link dev.unseen.testing.release.ReleaseCheck}.
 */
package dev.unseen.testing.release;
