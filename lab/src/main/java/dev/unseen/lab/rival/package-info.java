/**
 * The filters of others, written from their papers, so that ours can be compared with them at equal
 * memory. For measurements only: nothing here is published.
 */
package dev.unseen.lab.rival;
