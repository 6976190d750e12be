// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which caller may do what. A token, a cookie or nothing comes in with a request; the caller, its role and its teams
 * are known before the body is read. Changes go into the audit log.
 */
@NullMarked
package io.redliner.controller.service.security;

import org.jspecify.annotations.NullMarked;
