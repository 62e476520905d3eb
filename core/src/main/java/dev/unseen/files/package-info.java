/**
 * Files that survive a crash: written under another name, forced to the disk and renamed in one
 * step, readable by their owner only; and lock files. All parts of Unseen write their own files
 * with these classes.
 */
@NullMarked
package dev.unseen.files;

import org.jspecify.annotations.NullMarked;
