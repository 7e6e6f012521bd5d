import { useState } from 'react';
import { addDays, type Day, dayAt } from '../../../shared/day.ts';
import { Card } from '../../components/card.tsx';
import { DateField } from '../../components/date-field.tsx';
import { PasswordField, TextArea, TextField } from '../../components/field.tsx';
import { Checkbox, Switch } from '../../components/switch.tsx';
import styles from './design-page.module.css';

export function FieldSamples() {
  const [text, setText] = useState('Ada Lovelace');
  const [bio, setBio] = useState('Writes letters to engines that do not exist yet.');
  const [password, setPassword] = useState('correct horse');
  const [on, setOn] = useState(true);
  const [day, setDay] = useState<Day | ''>('');
  const today = dayAt(Date.now(), 'UTC');
  return (
    <Card title="Fields">
      <div className={styles.narrow}>
        <TextField
          label="Name"
          value={text}
          onChange={(event) => setText(event.target.value)}
          max={50}
        />
        <TextField
          label="Email"
          value="ada@"
          readOnly={false}
          onChange={() => undefined}
          error="Please enter a valid email"
          hint="We never show it to strangers."
        />
        <TextField
          label="Email"
          value="ada@example.com"
          readOnly
          hint="Email address cannot be changed from this page"
        />
        <TextArea
          label="Bio"
          value={bio}
          onChange={(event) => setBio(event.target.value)}
          max={50}
        />
        <TextField label="Out of use" value="Not now" disabled onChange={() => undefined} />
        <TextField
          label="Nothing yet"
          value=""
          placeholder="A word or two"
          onChange={() => undefined}
        />
        <PasswordField
          label="Password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Switch
          label="Notify recipients that a capsule is waiting for them"
          hint="The email never says what's inside."
          checked={on}
          onChange={setOn}
        />
        <Checkbox label="Remember this choice" checked={on} onChange={setOn} />
        <Switch label="Off" checked={!on} onChange={(checked) => setOn(!checked)} />
        <Checkbox label="Not chosen" checked={!on} onChange={(checked) => setOn(!checked)} />
        <Switch label="Out of use" checked disabled onChange={() => undefined} />
        <DateField
          label="Unlock Date"
          value={day}
          onChange={setDay}
          today={today}
          min={addDays(today, 1)}
          error={day ? null : 'Please choose an unlock date'}
        />
      </div>
    </Card>
  );
}
