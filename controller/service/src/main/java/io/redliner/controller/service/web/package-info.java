// SPDX-License-Identifier: Apache-2.0
/**
 * All of the REST API, the server-sent events and the pages. Requests come in, with bodies as YAML or JSON; what they ask for
 * is read, checked and given to submission, execution and persistence. Views go out, or problems (RFC 9457) that say what to
 * do.
 */
@NullMarked
package io.redliner.controller.service.web;

import org.jspecify.annotations.NullMarked;
