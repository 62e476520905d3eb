/**
 * Builds a site from the documentation: every Markdown file of {@code docs/} becomes a page with
 * navigation, contents and search, together with the files and the lab's pages that it links to.
 * The site can be opened from disk and makes no network requests. Start with {@link
 * dev.unseen.site.Site}.
 */
package dev.unseen.site;
