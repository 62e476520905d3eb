/** Users, their passwords and rights. */
package dev.unseen.server.access;
