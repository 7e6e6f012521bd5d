import type { ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { RedirectSignedIn, RequireSignIn } from './app/guards.tsx';
import { lazyPage } from './app/lazy-page.ts';
import { PageFrame } from './app/route-change.tsx';
import { Shell } from './app/shell.tsx';
import { AskHost } from './components/ask.tsx';
import { lazyExtra } from './components/lazy-extra.ts';
import { siteName } from './components/site-name.ts';
import { ToastRegion } from './components/toast.tsx';
import { hasLinkToken } from './hooks/use-link-token.ts';

const Home = lazyPage(() => import('./pages/home/home-page.tsx'), 'HomePage');
const Auth = lazyPage(() => import('./pages/auth/auth-page.tsx'), 'AuthPage');
const Claim = lazyPage(() => import('./pages/auth/invitation-page.tsx'), 'ClaimPage');
const Refuse = lazyPage(() => import('./pages/auth/invitation-page.tsx'), 'RefuseInvitationPage');
const Forgot = lazyPage(() => import('./pages/auth/reset-password-page.tsx'), 'ForgotPasswordPage');
const Reset = lazyPage(() => import('./pages/auth/reset-password-page.tsx'), 'ResetPasswordPage');
const RecoveryCode = lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'RecoveryCodePage');
const EmailLink = lazyPage(() => import('./pages/auth/email-link-page.tsx'), 'EmailLinkPage');
const Arrival = lazyPage(
  () => import('./pages/sign-in/provider-arrival.tsx'),
  'ProviderArrivalPage',
);
const Dashboard = lazyPage(() => import('./pages/dashboard/dashboard-page.tsx'), 'DashboardPage');
const Bin = lazyPage(() => import('./pages/outbox/outbox-page.tsx'), 'BinPage');
const Create = lazyPage(() => import('./pages/create/create-page.tsx'), 'CreatePage');
const Outbox = lazyPage(() => import('./pages/outbox/outbox-page.tsx'), 'OutboxPage');
const profile = () => import('./pages/profile/profile-page.tsx');
const Profile = lazyPage(profile, 'ProfilePage');
const Emails = lazyPage(profile, 'EmailsPage');
const Safety = lazyPage(profile, 'SafetyPage');
const Addresses = lazyPage(() => import('./pages/profile/addresses-page.tsx'), 'AddressesPage');
const People = lazyPage(profile, 'PeoplePage');
const SignIn = lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage');
const PublicProfile = lazyPage(
  () => import('./pages/public-profile/public-profile-page.tsx'),
  'PublicProfilePage',
);
const texts = () => import('./pages/texts/text-pages.tsx');
const Help = lazyPage(texts, 'HelpPage');
const Privacy = lazyPage(texts, 'PrivacyPage');
const Terms = lazyPage(texts, 'TermsPage');
/** For people without an account, who need no shell, and have another database. */
const Add = lazyPage(() => import('./pages/add/add-page.tsx'), 'AddPage');
const NotFound = lazyPage(() => import('./pages/not-found/not-found-page.tsx'), 'NotFoundPage');
/** It is a gift: where its code cannot be loaded, the message has said all there is to know. */
const SealedMoment = lazyExtra(
  async () => (await import('./pages/sealed/sealed-moment.tsx')).SealedMoment,
);
/** The specified address of the registration, with the link of an invitation. */
function AuthOrClaim() {
  return hasLinkToken(useLocation(), 'invitation') ? <Claim /> : <Auth />;
}

/** Where the links in emails lead: one page, which knows what each of them is about. */
const EMAIL_LINKS = [
  'auth/verify-email',
  'auth/confirm-email',
  'auth/undo-email',
  'auth/new-password',
  'auth/still-yours',
  'auth/restore-capsule',
  'auth/undo-passkey',
  'auth/undo-identity',
  'notices/off',
];

function page(title: string, element: ReactNode) {
  return <PageFrame title={title}>{element}</PageFrame>;
}

/** The screens of the specification, all but the last within the shell; messages and questions outlive them. */
export function Screens() {
  return (
    <>
      <Routes>
        <Route element={<Shell Moment={SealedMoment} />}>
          <Route index element={page(siteName(), <Home />)} />
          <Route element={<RedirectSignedIn />}>
            <Route path="auth" element={page('Sign in or register', <AuthOrClaim />)} />
          </Route>
          <Route path="auth/forgot-password" element={page('Forgot password', <Forgot />)} />
          <Route path="auth/reset-password" element={page('Reset password', <Reset />)} />
          <Route path="auth/recovery-code" element={page('Recovery code', <RecoveryCode />)} />
          <Route path="auth/refuse-invitation" element={page('Refuse an invitation', <Refuse />)} />
          {EMAIL_LINKS.map((path) => (
            <Route key={path} path={path} element={page('From an email', <EmailLink />)} />
          ))}
          <Route path="auth/welcome" element={page('Sign in', <Arrival />)} />
          <Route element={<RequireSignIn />}>
            <Route path="dashboard" element={page('Dashboard', <Dashboard />)} />
            <Route path="dashboard/bin" element={page('Bin', <Bin />)} />
            <Route path="create" element={page('Create Capsule', <Create />)} />
            <Route path="outbox" element={page('Outbox', <Outbox />)} />
            <Route path="profile" element={page('Profile', <Profile />)} />
            <Route path="profile/emails" element={page('Emails', <Emails />)} />
            <Route path="profile/safety" element={page('Safety', <Safety />)} />
            <Route path="profile/addresses" element={page('Your addresses', <Addresses />)} />
            <Route path="profile/people" element={page('People', <People />)} />
            <Route path="profile/sign-in" element={page('Signing in', <SignIn />)} />
          </Route>
          <Route path="profile/:userId" element={page('Profile', <PublicProfile />)} />
          <Route path="help" element={page('Help Center', <Help />)} />
          <Route path="privacy" element={page('Privacy Policy', <Privacy />)} />
          <Route path="terms" element={page('Terms of Service', <Terms />)} />
        </Route>
        <Route path="add" element={page('Add your part', <Add />)} />
        <Route path="*" element={page('Page not found', <NotFound />)} />
      </Routes>
      <ToastRegion />
      <AskHost />
    </>
  );
}
