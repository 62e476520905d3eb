/**
 * The filters of others, written from their papers, so that ours can be compared with them at equal
 * memory. They are for measurements only and are not published.
 */
package dev.unseen.lab.rival;
