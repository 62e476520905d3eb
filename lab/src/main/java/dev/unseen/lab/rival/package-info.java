/**
 * The filters of others, written from their papers, so that ours can be compared with them at equal
 * memory. They are for measurements only; <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/rivals.md">the rivals</a> describes
 * them.
 */
package dev.unseen.lab.rival;
