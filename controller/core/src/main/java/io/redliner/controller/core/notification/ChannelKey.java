// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

/**
 * The identity of a receiver in the database.
 *
 * @param key one per receiver
 * @param shown its name for logs and pages, without secrets
 * @param endpoint messages of one endpoint are sent one after another: the receiver, or the one mail server
 */
public record ChannelKey(String key, ChannelType kind, String shown, String endpoint) {}
