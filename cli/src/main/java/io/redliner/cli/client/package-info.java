// SPDX-License-Identifier: Apache-2.0
/**
 * The one client of the controller's REST API and of its server-sent events. Requests come in; whether an answer is a refusal, and
 * whether a lost stream is opened again, is decided here. JSON trees go out, and errors that a user can act on.
 */
@NullMarked
package io.redliner.cli.client;

import org.jspecify.annotations.NullMarked;
