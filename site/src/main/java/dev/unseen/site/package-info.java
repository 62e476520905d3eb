/**
 * Makes the documentation a site: every Markdown file of {@code docs/} becomes a page with
 * navigation, contents and search, beside the files and the lab's pages that it links to. The site
 * opens from disk and asks nobody for anything. Start with {@link dev.unseen.site.Site}.
 */
package dev.unseen.site;
