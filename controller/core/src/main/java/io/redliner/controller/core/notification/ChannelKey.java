// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

/**
 * How a receiver is called in the database.
 *
 * @param key one per receiver
 * @param shown for everybody's eyes
 * @param lane what has the same is sent one after the other
 */
public record ChannelKey(String key, ChannelType kind, String shown, String lane) {}
