import { describe, expect, it } from 'vitest';
import { loginSchema, registerSchema, resetPasswordSchema } from '../../shared/api/auth.ts';
import { checkForm } from './check-form.ts';

describe('checkForm', () => {
  it('says of each field the first thing that is wrong, in the documented words [5.auth.1]', () => {
    expect(checkForm(registerSchema, { name: ' ', email: '', password: '' })).toEqual({
      ok: false,
      errors: {
        name: 'Name is required',
        email: 'Email is required',
        password: 'Password is required',
      },
    });
    expect(checkForm(registerSchema, { name: 'Ada', email: 'ada@', password: '1234' })).toEqual({
      ok: false,
      errors: {
        email: 'Please enter a valid email',
        password: 'Password must be at least 5 characters',
      },
    });
  });

  it('asks of a sign-in only that a password is there', () => {
    expect(checkForm(loginSchema, { name: '', email: 'ada@x.org', password: 'a' }).ok).toBe(true);
  });

  it('has its own words for a reset', () => {
    expect(checkForm(resetPasswordSchema, { password: '1234' })).toEqual({
      ok: false,
      errors: { password: 'Password must be at least 5 characters long' },
    });
  });

  it('gives what will be sent, trimmed and in lower case', () => {
    const input = { name: ' Ada ', email: ' Ada@Example.com ', password: ' five5 ' };
    expect(checkForm(registerSchema, input)).toEqual({
      ok: true,
      data: { name: 'Ada', email: 'ada@example.com', password: ' five5 ' },
    });
  });
});
