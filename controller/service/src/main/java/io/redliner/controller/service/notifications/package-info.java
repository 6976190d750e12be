// SPDX-License-Identifier: Apache-2.0
/**
 * Notifies users of the events of runs. A decision comes in with its transaction, and a message for each receiver is stored
 * there. Slack, webhooks and mail are tried until one attempt is answered, by whichever controller claims the message.
 */
@NullMarked
package io.redliner.controller.service.notifications;

import org.jspecify.annotations.NullMarked;
