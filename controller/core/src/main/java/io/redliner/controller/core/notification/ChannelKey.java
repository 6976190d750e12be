// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

/**
 * The identity of a receiver in the database.
 *
 * @param key one per receiver
 * @param shown its name for logs and pages, without secrets
 * @param lane messages of the same lane are sent one after the other
 */
public record ChannelKey(String key, ChannelType kind, String shown, String lane) {}
