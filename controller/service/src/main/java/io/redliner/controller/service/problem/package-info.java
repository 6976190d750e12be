// SPDX-License-Identifier: Apache-2.0
/**
 * The errors of the API. A refusal comes in with one sentence; which HTTP status, stable type and title it has is decided here. A
 * document of RFC 9457 goes out.
 */
@NullMarked
package io.redliner.controller.service.problem;

import org.jspecify.annotations.NullMarked;
